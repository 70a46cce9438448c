import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';

import { translations } from '~/i18n/locale.server';
import { AccountMenu } from '~/ui/account-menu';

it('a signed-in user has applications, the staff portal, profile and settings, and a way out', () => {
  const user = {
    email: 'ada@example.com',
    user_metadata: { first_name: 'Ada', last_name: 'Martin' },
  };
  const html = renderToStaticMarkup(
    <I18nextProvider i18n={translations('en')}>
      <MemoryRouter initialEntries={['/about?tab=x']}>
        <AccountMenu user={user} />
      </MemoryRouter>
    </I18nextProvider>,
  );
  expect(html).toContain('Ada Martin');
  expect(html).toContain('<a href="/application-status"');
  expect(html).toContain('<a href="/crm/auth"');
  expect(html).toContain('<a href="/auth/security"');
  expect(html.match(/<a aria-disabled="true"/g)).toHaveLength(2);
  expect(html).toMatch(/<form method="post" action="\/sign-out">.*value="\/about\?tab=x"/);
});
