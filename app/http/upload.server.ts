import {
  MaxFileSizeExceededError,
  MultipartParser,
  type MultipartPart,
} from '@remix-run/multipart-parser';

/** Of a whole body; proxies have to let it pass (deploy/nginx.conf). */
export const MOST_UPLOAD_BYTES = 9 * 1024 * 1024;
/** What has to come in any thirty seconds: 8 KB a second. The wireless network of a hotel is honest. */
export const LEAST_PROGRESS = { bytes: 240 * 1024, ms: 30_000 };
/** In that time it is looked so often whether somebody keeps others waiting. */
const LOOKS = 6;

/** A browser sends two lines before a part: what it is called, and of what type it is. */
const MOST_HEADER_LINES = 8;
const MOST_HEADER_BYTES = 1024;
/** RFC 2046, 5.1.1 */
const MOST_BOUNDARY_LENGTH = 70;
/** Small pieces are put together: each costs as much to keep as a large one. */
const BLOCK_BYTES = 64 * 1024;

export type Upload<Name extends string> = Partial<Record<Name, MultipartPart>>;

/**
 * @param isWanted whether others wait for its place @returns `tooLarge`: a part is; it was not read on
 * @throws {Response} 400 for what no browser sends; 408 if it comes too slowly
 */
export async function readUpload<Name extends string>(
  { body, headers }: Request,
  names: readonly Name[],
  mostBytes: number,
  isWanted: () => boolean,
): Promise<Upload<Name> | 'tooLarge'> {
  const boundary = boundaryOf(headers.get('Content-Type') ?? '');
  if (!body || boundary === undefined) throw new Response(null, { status: 400 });
  const parser = new MultipartParser(boundary, {
    maxParts: names.length,
    maxHeaderSize: MOST_HEADER_BYTES,
    maxFileSize: mostBytes,
    maxTotalSize: MOST_UPLOAD_BYTES,
  });
  const upload: Upload<Name> = {};
  try {
    for await (const block of blocksOf(body, isWanted)) {
      for (const part of parser.write(block)) {
        const name = names.find((one) => one === part.name);
        if (!name || upload[name] || Object.keys(part.headers).length > MOST_HEADER_LINES) {
          throw new Response(null, { status: 400 });
        }
        upload[name] = part;
      }
      if (isAtEnd(parser)) return upload;
    }
  } catch (error) {
    if (error instanceof MaxFileSizeExceededError) return 'tooLarge';
    throw error instanceof Response ? error : new Response(null, { status: 400 });
  }
  throw new Response(null, { status: 400 });
}

/** Reads a body that is refused to its end, as long as it comes, so that its browser reads why. */
export async function throwAway({ body, headers }: Request): Promise<void> {
  // Programs ask first, and send nothing once they are refused.
  if (!body || headers.has('Expect')) return;
  try {
    for await (const piece of piecesOf(body)) void piece;
  } catch {
    // It is told all the same.
  }
}

function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  return boundary && boundary.length <= MOST_BOUNDARY_LENGTH ? boundary : undefined;
}

function isAtEnd(parser: MultipartParser): boolean {
  try {
    parser.finish();
    return true;
  } catch {
    return false;
  }
}

async function* blocksOf(body: ReadableStream<Uint8Array>, isWanted: () => boolean) {
  let block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let length = 0;
  for await (const piece of piecesOf(body, isWanted)) {
    for (let at = 0; at < piece.length;) {
      const taken = piece.subarray(at, at + BLOCK_BYTES - length);
      block.set(taken, length);
      length += taken.length;
      at += taken.length;
      if (length < BLOCK_BYTES) continue;
      yield block;
      block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      length = 0;
    }
  }
  if (length > 0) yield block.subarray(0, length);
}

/** The pieces of a body, as long as they come fast enough; what is left is thrown away. */
async function* piecesOf(body: ReadableStream<Uint8Array>, isWanted = () => false) {
  const reader = body.getReader();
  let bytes = 0;
  let before = 0;
  let looks = 0;
  let isSlow = false;
  const watch = setInterval(() => {
    looks += 1;
    const isOver = looks % LOOKS === 0;
    // The longer somebody has a place that others wait for, the faster they must have been.
    const wanted = LEAST_PROGRESS.bytes * (looks / LOOKS) ** 2;
    isSlow = (isOver && bytes - before < LEAST_PROGRESS.bytes) || (isWanted() && bytes < wanted);
    if (isOver) before = bytes;
    if (isSlow) void reader.cancel();
  }, LEAST_PROGRESS.ms / LOOKS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isSlow) throw new Response(null, { status: 408 });
      if (done) return;
      bytes += value.length;
      yield value;
    }
  } finally {
    clearInterval(watch);
    void reader.cancel().catch(() => undefined);
  }
}
