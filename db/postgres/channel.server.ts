import pg from 'pg';

/** All sites on one database hear what one of them says, if they listen just then: no table keeps it. */
const CHANNEL = 'esta_sites';
const RETRY_MS = 1000;

/** Connects now, and again whenever the connection has ended. */
export function openChannel(url: string, heard: (words: string) => void) {
  let client: pg.Client;
  let isClosed = false;
  const connect = () => {
    const opened = new pg.Client({
      connectionString: url,
      application_name: 'esta-assistance',
      connectionTimeoutMillis: RETRY_MS,
      query_timeout: RETRY_MS,
      keepAlive: true,
      // Each word is a commit, which need not be on a disk.
      options: '-c synchronous_commit=off',
    });
    opened.on('error', () => undefined);
    opened.on('notification', ({ payload = '' }) => heard(payload));
    opened.on('end', () => {
      if (!isClosed) setTimeout(connect, RETRY_MS).unref();
    });
    const fail = () => void opened.end();
    opened
      .connect()
      .then(() => opened.query(`listen ${CHANNEL}`))
      .catch(fail);
    client = opened;
  };
  connect();
  return {
    /** To who listens, this site too; while the database is away to nobody. */
    tell: (words: string): void =>
      void client.query('select pg_notify($1, $2)', [CHANNEL, words]).catch(() => client.end()),
    close() {
      isClosed = true;
      return client.end();
    },
  };
}
