import { type Cents, centsOf } from '../offer';

/** What people write around an amount. */
const AROUND = /^(?:€|EUR|US\$|\$|USD)|(?:€|EUR|US\$|\$|USD)$/gi;

/**
 * An amount as somebody types it, `39,95`, `39.95` or `40 €`, in cents. Marks between thousands are not
 * guessed at: `1.234` could be both.
 *
 * @returns undefined for what is no amount, or not a clear one
 */
export function readAmount(typed: string): Cents | undefined {
  const plain = typed.replace(/\s/g, '').replace(AROUND, '').replace(',', '.');
  return centsOf(plain);
}

/** An amount as it stands in a field: `39,95` or `39.95`. */
export function typedAmount(cents: Cents, mark: ',' | '.'): string {
  return (cents / 100).toFixed(2).replace('.', mark);
}
