/** What somebody knows a device by, in a list of sessions; names, not versions. */
export interface Client {
  /** Such as `Firefox`; empty if unknown. */
  browser: string;
  /** Such as `Windows`; empty if unknown. */
  system: string;
}

/** The browser and system that a request names; no address is kept. */
export async function clientNameOf(request: Request): Promise<Client> {
  const agent = request.headers.get('User-Agent')?.slice(0, 500) ?? '';
  if (agent === '') return { browser: '', system: '' };
  const { default: Bowser } = await import('bowser');
  const { browser, os } = Bowser.parse(agent);
  return { browser: browser.name ?? '', system: os.name ?? '' };
}

export function readClient(kept: string): Client {
  return JSON.parse(kept) as Client;
}
