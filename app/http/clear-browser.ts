/** The next person at this device goes back to none of its pages. Browsers heed it on https only. */
export function clearBrowser(headers: Headers): Headers {
  // Not its cookies and storage: the language and the ticks of the guide are nobody's secret.
  headers.set('Clear-Site-Data', '"cache"');
  return headers;
}
