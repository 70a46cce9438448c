import { TOTP } from '~/domain/factors';
import { siteSettings } from '~/settings/settings.server';

const loadOtp = () => import('otpauth');

export async function newSecret(): Promise<string> {
  const { Secret } = await loadOtp();
  return new Secret({ size: TOTP.secretBytes }).base32;
}

export async function totpSetup(secret: string, email: string) {
  const uri = (await totpOfSecret(secret, email)).toString();
  return { secret, uri, qrCode: await qrCodeOf(uri) };
}

/** At most one step before or after now (RFC 6238, 5.2); undefined for a wrong code. */
export async function stepOfCode(secret: string, code: string, now: Date) {
  const totp = await totpOfSecret(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: TOTP.window });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

export async function totpOfSecret(secret: string, label = '') {
  const otp = await loadOtp();
  return new otp.TOTP({
    issuer: siteSettings().siteName,
    label,
    secret: otp.Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: TOTP.digits,
    period: TOTP.periodS,
  });
}

const QUIET = 4;

/** Of runs of modules, a few kilobytes; it is as large as its place. */
export async function qrCodeOf(text: string): Promise<string> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const runs = data.flatMap((row, y) => {
    const line = row.map((isBlack) => (isBlack ? '1' : '0')).join('');
    return [...line.matchAll(/1+/g)].map(
      ({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect fill="white" width="${size}" height="${size}"/><path fill="black" d="${runs.join('')}"/></svg>`;
}
