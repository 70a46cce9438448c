import {
  businessDaysAfter,
  lastWithdrawalDay,
  refundDueDay,
  standingOn,
} from '~/domain/order/deadlines';
import type { RefundKind } from '~/domain/order/states';
import { decisionTables } from '../../decision-tables';

decisionTables(import.meta.url, {
  'business days after a day': (day, count) => businessDaysAfter(day, Number(count)),
  'last day to withdraw from a contract': lastWithdrawalDay,
  'what somebody has who wants the price back, with so many days of guarantee': (day, days) =>
    standingOn(day, { contractDay: '2026-11-26', guaranteeDays: Number(days) }),
  'when a refund is due that is asked for on 26 November': (kind) =>
    refundDueDay(kind as RefundKind, '2026-11-26', 5),
});
