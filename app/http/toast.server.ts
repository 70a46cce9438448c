import { redirect } from '@remix-run/node';
import { randomUUID } from 'node:crypto';

import { LRUCache } from 'lru-cache';
import { z } from 'zod/v4';

import { perApp } from '~/current-app.server';
import { settingCookies, signedCookie } from './cookies.server';
import type { ToastName } from './toasts';

const toastSchema = z.object({
  id: z.uuid(),
  name: z.custom<ToastName>(),
  href: z.string().startsWith('/').optional(),
  count: z.int().optional(),
  email: z.string().max(254).optional(),
  meant: z.string().max(254).optional(),
});

export type ToastView = Omit<z.output<typeof toastSchema>, 'id'>;

const toastCookie = signedCookie('toast', toastSchema, { maxAge: 60 });

const shown = perApp(() => new LRUCache<string, true>({ max: 10_000 }));

export const showToast = (toast: ToastView): Promise<string> =>
  toastCookie.write({ ...toast, id: randomUUID() });

export async function leadTo(
  path: string,
  cookies: readonly string[],
  toast?: ToastView['name'] | ToastView,
): Promise<Response> {
  const shown = typeof toast === 'string' ? { name: toast } : toast;
  const all = shown ? [...cookies, await showToast(shown)] : cookies;
  return redirect(path, { status: 303, headers: settingCookies(all) });
}

/** For a toast whose page the browser gave up for this request, as at a second press. */
export async function rerenderToast(request: Request): Promise<string | undefined> {
  const pending = await toastCookie.read(request);
  return pending && showToast(pending);
}

export async function takeToast(request: Request) {
  const cookie = await toastCookie.read(request);
  if (!cookie) return undefined;
  const { id, ...toast } = cookie;
  const isNew = !shown().has(id);
  shown().set(id, true);
  return { toast: isNew ? toast : undefined, header: await toastCookie.clear() };
}
