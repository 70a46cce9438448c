/** ISO 3166-1, alpha-2 and alpha-3, as of 2026; Kosovo has no code of its own there. */
const CODES = `
  AD AND  AE ARE  AF AFG  AG ATG  AI AIA  AL ALB  AM ARM  AO AGO  AQ ATA  AR ARG  AS ASM  AT AUT
  AU AUS  AW ABW  AX ALA  AZ AZE  BA BIH  BB BRB  BD BGD  BE BEL  BF BFA  BG BGR  BH BHR  BI BDI
  BJ BEN  BL BLM  BM BMU  BN BRN  BO BOL  BQ BES  BR BRA  BS BHS  BT BTN  BV BVT  BW BWA  BY BLR
  BZ BLZ  CA CAN  CC CCK  CD COD  CF CAF  CG COG  CH CHE  CI CIV  CK COK  CL CHL  CM CMR  CN CHN
  CO COL  CR CRI  CU CUB  CV CPV  CW CUW  CX CXR  CY CYP  CZ CZE  DE DEU  DJ DJI  DK DNK  DM DMA
  DO DOM  DZ DZA  EC ECU  EE EST  EG EGY  EH ESH  ER ERI  ES ESP  ET ETH  FI FIN  FJ FJI  FK FLK
  FM FSM  FO FRO  FR FRA  GA GAB  GB GBR  GD GRD  GE GEO  GF GUF  GG GGY  GH GHA  GI GIB  GL GRL
  GM GMB  GN GIN  GP GLP  GQ GNQ  GR GRC  GS SGS  GT GTM  GU GUM  GW GNB  GY GUY  HK HKG  HM HMD
  HN HND  HR HRV  HT HTI  HU HUN  ID IDN  IE IRL  IL ISR  IM IMN  IN IND  IO IOT  IQ IRQ  IR IRN
  IS ISL  IT ITA  JE JEY  JM JAM  JO JOR  JP JPN  KE KEN  KG KGZ  KH KHM  KI KIR  KM COM  KN KNA
  KP PRK  KR KOR  KW KWT  KY CYM  KZ KAZ  LA LAO  LB LBN  LC LCA  LI LIE  LK LKA  LR LBR  LS LSO
  LT LTU  LU LUX  LV LVA  LY LBY  MA MAR  MC MCO  MD MDA  ME MNE  MF MAF  MG MDG  MH MHL  MK MKD
  ML MLI  MM MMR  MN MNG  MO MAC  MP MNP  MQ MTQ  MR MRT  MS MSR  MT MLT  MU MUS  MV MDV  MW MWI
  MX MEX  MY MYS  MZ MOZ  NA NAM  NC NCL  NE NER  NF NFK  NG NGA  NI NIC  NL NLD  NO NOR  NP NPL
  NR NRU  NU NIU  NZ NZL  OM OMN  PA PAN  PE PER  PF PYF  PG PNG  PH PHL  PK PAK  PL POL  PM SPM
  PN PCN  PR PRI  PS PSE  PT PRT  PW PLW  PY PRY  QA QAT  RE REU  RO ROU  RS SRB  RU RUS  RW RWA
  SA SAU  SB SLB  SC SYC  SD SDN  SE SWE  SG SGP  SH SHN  SI SVN  SJ SJM  SK SVK  SL SLE  SM SMR
  SN SEN  SO SOM  SR SUR  SS SSD  ST STP  SV SLV  SX SXM  SY SYR  SZ SWZ  TC TCA  TD TCD  TF ATF
  TG TGO  TH THA  TJ TJK  TK TKL  TL TLS  TM TKM  TN TUN  TO TON  TR TUR  TT TTO  TV TUV  TW TWN
  TZ TZA  UA UKR  UG UGA  UM UMI  US USA  UY URY  UZ UZB  VA VAT  VC VCT  VE VEN  VG VGB  VI VIR
  VN VNM  VU VUT  WF WLF  WS WSM  XK RKS  YE YEM  YT MYT  ZA ZAF  ZM ZMB  ZW ZWE
`;

export const ALPHA3: Readonly<Record<string, string>> = Object.fromEntries(
  [...CODES.matchAll(/(\w{2}) (\w{3})/g)].map(([, alpha2 = '', alpha3 = '']) => [alpha2, alpha3]),
);

export const COUNTRY_CODES: readonly string[] = Object.keys(ALPHA3);

const ALPHA2 = new Map(Object.entries(ALPHA3).map(([alpha2, alpha3]) => [alpha3, alpha2]));

/** What German passports print (ICAO Doc 9303-3, section 5). */
const GERMANY = 'D';

const BRITISH = ['GBD', 'GBN', 'GBO', 'GBP', 'GBS'];

/** Alpha-2; undefined for organisations (`UNO`), the stateless (`XXA`) and `GBN`. */
export const countryOf = (printed: string): string | undefined =>
  printed === GERMANY ? 'DE' : ALPHA2.get(printed);

export const issuingCountryOf = (printed: string): string | undefined =>
  BRITISH.includes(printed) ? 'GB' : countryOf(printed);

export function printedCodeOf(country: string): string {
  if (country === 'DE') return GERMANY;
  return (Object.hasOwn(ALPHA3, country) ? ALPHA3[country] : undefined) ?? country;
}

export const US_STATES: readonly string[] = (
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM ' +
  'NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI'
).split(' ');
