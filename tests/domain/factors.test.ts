import { Secret } from 'otpauth';

import { stepOfCode } from '~/accounts/totp.server';
import type { Tries } from '~/domain/accounts';
import {
  afterSms,
  noticeOf,
  plainCode,
  plainRecoveryCode,
  recoveryCodeOf,
  removalDue,
  SMS_LIMITS,
} from '~/domain/factors';
import { decisionTables } from '../decision-tables';

const SECRET = Secret.fromLatin1('12345678901234567890').base32;
const NOON = Date.parse('2026-11-22T12:00:00Z');
const ASKED = new Date('2027-03-25T20:30:00Z');
decisionTables(import.meta.url, {
  'recovery code as it is compared': plainRecoveryCode,
  'notice of a removal that was asked for on 25 March 2027': (now) =>
    noticeOf(ASKED, new Date(now)).toISOString(),
  'when that removal is due': () => removalDue(ASKED).toISOString(),
  'step of a code of RFC 6238, appendix B, so many seconds from its beginning': (
    step,
    code,
    later,
  ) => stepOfCode(SECRET, code, new Date((Number(step) * 30 + Number(later)) * 1000)),
  'a code as it is compared': plainCode,
  'recovery code of fifteen bytes': (hex) => recoveryCodeOf(Buffer.from(hex, 'hex')),
  'messages of a factor that are asked for at these seconds: sent, or how long to wait': (
    seconds,
  ) => {
    let known: Tries | undefined;
    const ask = (second: string) => {
      const answer = afterSms(SMS_LIMITS.factor)(known, new Date(NOON + Number(second) * 1000));
      known = answer.after ?? known;
      return answer.wait ?? 'sent';
    };
    return seconds.split(' ').map(ask).join(' ');
  },
});
