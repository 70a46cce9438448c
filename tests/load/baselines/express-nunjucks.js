/**
 * The page that it gets on its input, as Express with Nunjucks, i18next and `compression` would send
 * it: every text between the tags is looked up and escaped, all else is the template's.
 */
import compression from 'compression';
import express from 'express';
import i18next from 'i18next';
import nunjucks from 'nunjucks';
import { text } from 'node:stream/consumers';

const html = await text(process.stdin);
const words = {};
const template = html
  .split(/(<script[^]*?<\/script>)/)
  .map((part) =>
    part.startsWith('<script')
      ? `{% raw %}${part}{% endraw %}`
      : part.replace(/>([^<>]*\S[^<>]*)</g, (_, found) => {
          const key = `text${Object.keys(words).length}`;
          words[key] = unescape(found);
          return `>{{ t("${key}") }}<`;
        }),
  )
  .join('');
await i18next.init({ lng: 'fr', resources: { fr: { translation: words } } });

const environment = new nunjucks.Environment(null, { autoescape: true });
const page = nunjucks.compile(template, environment);
const app = express();
app.use(compression());
app.use(express.static('public'));
app.get('*', (request, response) => {
  const t = i18next.getFixedT(request.acceptsLanguages('fr', 'en', 'de') || 'fr');
  response.type('html').send(page.render({ t }));
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: server.address().port }));
});

function unescape(text) {
  const named = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text
    .replace(/&#x([\da-f]+);/g, (_, code) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name) => named[name]);
}
