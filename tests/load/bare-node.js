/** The baseline of the benchmarks: Node's own HTTP server, sending the bytes it got on its input. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const bytes = await buffer(process.stdin);

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(address.port);
});
