import drawing from './portrait.json' with { type: 'json' };

/** An invented traveller before a plain wall: nobody is to be taken for a person. */
export const PORTRAIT = `${drawing.svg.join('\n')}\n`;

export async function portraitPicture(): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(PORTRAIT)).resize(900, 900, { fit: 'cover' }).jpeg().toBuffer();
}
