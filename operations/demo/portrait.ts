/** An invented traveller before a plain wall: nobody is to be taken for a person. */
export const PORTRAIT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-100 10 800 800">
  <defs>
    <linearGradient id="wall" x2="0" y2="1"><stop stop-color="#e9edef"/><stop offset="1" stop-color="#d9dfe2"/></linearGradient>
    <radialGradient id="skin" cx=".46" cy=".42" r=".62"><stop stop-color="#f0c8a6"/><stop offset=".6" stop-color="#dfab85"/><stop offset="1" stop-color="#b47c58"/></radialGradient>
    <linearGradient id="neck" x2="0" y2="1"><stop stop-color="#9a6848"/><stop offset=".6" stop-color="#cf9a74"/></linearGradient>
    <linearGradient id="hair" x2="0" y2="1"><stop stop-color="#4a352a"/><stop offset="1" stop-color="#2c1f19"/></linearGradient>
    <filter id="soft"><feGaussianBlur stdDeviation="7"/></filter>
    <filter id="softer"><feGaussianBlur stdDeviation="3"/></filter>
  </defs>
  <rect x="-100" y="10" width="800" height="800" fill="url(#wall)"/>
  <path fill="url(#hair)" d="M300 118c-110 0-158 80-154 190 2 70-8 150-26 214 40 34 110 40 180 40s140-6 180-40c-18-64-28-144-26-214 4-110-44-190-154-190z"/>
  <path fill="#35586a" d="M36 810c4-130 64-182 194-206h140c130 24 190 76 194 206z"/>
  <path fill="url(#neck)" d="M240 470h120v110c8 28 20 34 34 38-34 52-154 52-188 0 14-4 26-10 34-38z"/>
  <path fill="url(#skin)" d="M300 168c88 0 132 62 130 160-1 60-18 116-50 152-26 30-52 44-80 44s-54-14-80-44c-32-36-49-92-50-152-2-98 42-160 130-160z"/>
  <path fill="url(#hair)" d="M300 150c-96 0-140 70-138 176 20-40 34-70 44-104 60 4 150-6 176-38 26 36 42 80 56 142 2-106-42-176-138-176z"/>
  <g filter="url(#soft)" fill="#8a5638">
    <path opacity=".5" d="M190 300c20-24 66-26 92 0-4 30-70 34-92 0zM318 300c26-26 72-24 92 0-22 34-88 30-92 0z"/>
    <path opacity=".45" d="M286 300c-4 40-14 70-20 92 10 22 60 22 70 0-2 14-20 4-34 4-16 0-18-60-16-96z"/>
    <path opacity=".4" d="M262 470c20 14 56 14 76 0-8 22-68 22-76 0z"/>
    <path opacity=".35" d="M176 380c10 60 40 110 80 136-50-20-80-80-80-136zM424 380c-10 60-40 110-80 136 50-20 80-80 80-136z"/>
  </g>
  <g fill="none" stroke="#38271f" stroke-linecap="round" filter="url(#softer)">
    <path stroke-width="13" d="M194 276c20-16 56-18 82-6M324 270c26-12 62-10 82 6"/>
  </g>
  <path fill="#f6f1ec" d="M200 312c16-20 54-22 74 4-20 16-56 16-74-4zM326 316c20-26 58-24 74-4-18 20-54 20-74 4z"/>
  <circle cx="238" cy="311" r="14" fill="#4a3a2a"/><circle cx="362" cy="311" r="14" fill="#4a3a2a"/>
  <circle cx="238" cy="311" r="7" fill="#120c08"/><circle cx="362" cy="311" r="7" fill="#120c08"/>
  <circle cx="242" cy="306" r="3" fill="#fff"/><circle cx="366" cy="306" r="3" fill="#fff"/>
  <path fill="none" stroke="#2a1a12" stroke-width="6" stroke-linecap="round" d="M196 314c18-24 58-26 80 2M324 316c22-28 62-26 80-2"/>
  <path fill="none" stroke="#8a5638" stroke-width="3" d="M204 322c18 14 50 14 68 0M328 322c18 14 50 14 68 0"/>
  <path fill="#f4d4b6" opacity=".7" filter="url(#softer)" d="M294 290c-2 40-6 70-8 92 8 10 20 10 28 0-6-22-8-52-8-92z"/>
  <path fill="#5e3322" filter="url(#softer)" d="M270 396c4-8 14-6 18 2 8 6 16 6 24 0 4-8 14-10 18-2-6 8-12 8-18 6-8 6-16 6-24 0-6 2-12 2-18-6z"/>
  <path fill="#b45a52" d="M250 440c18-10 36-16 50-8 14-8 32-2 50 8-20 26-80 28-100 0z"/>
  <path fill="none" stroke="#6e2f2c" stroke-width="4" stroke-linecap="round" d="M250 440c30 8 70 8 100 0"/>
  <path fill="#cf7d72" opacity=".6" filter="url(#softer)" d="M276 450c14 4 34 4 48 0-10 10-38 10-48 0z"/>
  <g fill="#e89c82" opacity=".35" filter="url(#soft)"><circle cx="206" cy="382" r="28"/><circle cx="394" cy="382" r="28"/></g>
</svg>
`;

export async function portraitPicture(): Promise<Uint8Array> {
  // Loaded by the demonstration alone: no other command needs it.
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(PORTRAIT)).resize(900, 900, { fit: 'cover' }).jpeg().toBuffer();
}
