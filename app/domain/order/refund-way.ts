import type { Form } from '../form';
import type { RefundState } from './states';

export const REFUND_FORM = [
  { name: 'reason', type: 'textarea', required: false, max_length: 1000 },
] as const satisfies Form;

export interface RefundStation {
  name: 'asked' | 'checking' | 'approved' | 'sent' | 'arrived' | 'refused';
  state: 'done' | 'now' | 'ahead';
  at?: string;
}

interface RefundTimes {
  state: RefundState;
  created_at: string;
  approved_at: string | null;
  sent_at: string | null;
  settled_at: string | null;
}

const WAY = ['asked', 'checking', 'approved', 'sent', 'arrived'] as const;

/** The stations where a refund is; the traveller learns nothing of proposals and tries. */
const WHERE: Record<Exclude<RefundState, 'refused'>, (typeof WAY)[number]> = {
  requested: 'checking',
  proposed: 'checking',
  approved: 'approved',
  // It is sent anew: for the traveller it has not left yet.
  failed: 'approved',
  sent: 'sent',
  settled: 'arrived',
};

/** The way of a refund: what lies behind with its time, where it is, and what is to come. */
export function refundWay(refund: RefundTimes): RefundStation[] {
  const { state, created_at, approved_at, sent_at, settled_at } = refund;
  const asked = { name: 'asked', state: 'done', at: created_at } as const;
  if (state === 'refused') {
    return [asked, { name: 'checking', state: 'done' }, { name: 'refused', state: 'now' }];
  }
  const times: Partial<Record<string, string | null>> = {
    asked: created_at,
    approved: approved_at,
    sent: state === 'failed' ? null : sent_at,
    arrived: settled_at,
  };
  const here = WAY.indexOf(WHERE[state]);
  return WAY.map((name, index) => {
    const at = index <= here ? times[name] : null;
    return {
      name,
      state: index < here ? 'done' : index === here ? 'now' : 'ahead',
      ...(at != null && { at }),
    };
  });
}
