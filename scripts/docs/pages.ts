// The pages of the documentation site: each Markdown file of the repository that it shows, by section.

/** Languages of the site besides English. A page without a translation appears in English, with a notice. */
export const languages = { de: 'Deutsch' }
export type Language = keyof typeof languages

type DocPage = {
  /** The path of the Markdown file. */
  source: string
  /** The address on the site, without slashes at its ends. */
  slug: string
  /** The label in the sidebar. */
  label: string
  translations?: Translations
}

type Translations = { [language in Language]?: { source: string; label: string } }

type Section = { label: string; translations: { [language in Language]: string }; pages: DocPage[] }

const page = (slug: string, source: string, label: string, translations?: Translations): DocPage => ({
  slug,
  source,
  label,
  ...(translations && { translations }),
})

/** The first page of the site. */
export const homePage = page('', 'README.md', 'Latchkey', {
  de: { source: 'docs/de/README.md', label: 'Latchkey' },
})

export const sections: Section[] = [
  {
    label: 'Start',
    translations: { de: 'Einstieg' },
    pages: [
      page('start/quick-starts', 'docs/quick-start.md', 'Quick starts', {
        de: { source: 'docs/de/quick-start.md', label: 'Schnellstart' },
      }),
      page('start/embedding', 'docs/embedding.md', 'Embedding', {
        de: { source: 'docs/de/embedding.md', label: 'Einbetten' },
      }),
      page('start/two-hostnames', 'docs/two-hostnames.md', 'Why two hostnames', {
        de: { source: 'docs/de/two-hostnames.md', label: 'Warum zwei Hostnamen' },
      }),
      page('start/what-latchkey-does-not-do', 'docs/limits-of-the-product.md', 'What Latchkey does not do'),
      page('start/examples', 'examples/README.md', 'Examples'),
      page('start/all-pages', 'docs/README.md', 'All pages'),
    ],
  },
  {
    label: 'Build',
    translations: { de: 'Einbauen' },
    pages: [
      page('build/loader', 'loader/README.md', 'Loader'),
      page('build/react', 'docs/react.md', 'React'),
      page('build/next', 'docs/next.md', 'Next on the server'),
      page('build/own-login', 'docs/own-login.md', 'Your own login'),
      page('build/theme', 'docs/theme.md', 'Theme'),
      page('build/wagmi', 'docs/wagmi.md', 'wagmi'),
      page('build/solana', 'docs/solana.md', 'Solana'),
      page('build/backends', 'docs/backend.md', 'Backends'),
      page('build/backend-sdk', 'sdk/server/README.md', 'Backend SDK'),
      page('build/solana-transactions', 'docs/solana-transactions.md', 'Solana transactions'),
      page('build/testing', 'sdk/testing/README.md', 'Test your app'),
      page('build/browser-tests', 'docs/browser-tests.md', 'Browser tests'),
      page('build/sandbox', 'sdk/sandbox/README.md', 'Sandbox'),
      page('build/coming-from-privy', 'docs/coming-from-privy.md', 'Coming from Privy'),
      page('build/migrate', 'sdk/migrate/README.md', 'Migration command'),
    ],
  },
  {
    label: 'Operate',
    translations: { de: 'Betreiben' },
    pages: [
      page('operate/operating', 'docs/operating.md', 'Operating'),
      page('operate/deployment', 'docs/deployment.md', 'Deployment'),
      page('operate/apps', 'docs/apps.md', 'Apps and users'),
      page('operate/admin-api', 'docs/admin-api.md', 'Admin API'),
      page('operate/dashboard', 'docs/dashboard.md', 'Dashboard'),
      page('operate/moving-users', 'docs/moving-users.md', 'Moving users'),
      page('operate/webhooks', 'docs/webhooks.md', 'Webhooks'),
      page('operate/hooks', 'docs/hooks.md', 'Hooks'),
      page('operate/providers', 'docs/providers.md', 'Providers'),
      page('operate/sponsored-fees', 'docs/sponsored-fees.md', 'Sponsored fees'),
      page('operate/openid-providers', 'docs/openid-providers.md', 'OpenID providers'),
      page('operate/descriptors', 'docs/descriptors.md', 'Contract calls'),
      page('operate/languages', 'docs/languages.md', 'Languages'),
      page('operate/databases', 'docs/databases.md', 'Databases'),
      page('operate/keys', 'docs/keys.md', 'Keys'),
      page('operate/cross-app', 'docs/cross-app.md', 'Cross-app wallets'),
      page('operate/monitoring', 'deploy/README.md', 'Monitoring'),
    ],
  },
  {
    label: 'Security',
    translations: { de: 'Sicherheit' },
    pages: [
      page('security', 'docs/security.md', 'Overview'),
      page('security/model', 'docs/security/model.md', 'Model'),
      page('security/guarantees', 'docs/security/guarantees.md', 'Guarantees'),
      page('security/residual-risks', 'docs/security/residual-risks.md', 'Residual risks'),
      page('security/verify', 'docs/security/verify.md', 'Verify it in an afternoon'),
      page('security/data-inventory', 'docs/reference/data-inventory.md', 'Data inventory'),
    ],
  },
  {
    label: 'Reference',
    translations: { de: 'Referenz' },
    pages: [
      page('reference/client', 'docs/reference/client.md', 'Client calls and events'),
      page('reference/client-config', 'docs/reference/client-config.md', 'Client configuration'),
      page('reference/accounts', 'docs/reference/accounts.md', 'Users and accounts'),
      page('errors', 'docs/reference/errors.md', 'Error codes'),
      page('reference/tokens', 'docs/reference/tokens.md', 'Token claims'),
      page('reference/ethereum-methods', 'docs/reference/ethereum-methods.md', 'EIP-1193 methods'),
      page('reference/environment', 'docs/reference/environment.md', 'Environment'),
      page('reference/app-settings', 'docs/reference/app-settings.md', 'App settings'),
      page('reference/command-line', 'docs/reference/command-line.md', 'Command line'),
      page('reference/admin-api', 'docs/reference/admin-api.md', 'Admin API calls'),
      page('reference/limits', 'docs/reference/limits.md', 'Limits'),
      page('reference/metrics', 'docs/reference/metrics.md', 'Metrics'),
      page('reference/audit-events', 'docs/reference/audit-events.md', 'Audit events'),
      page('reference/languages', 'docs/reference/languages.md', 'Languages'),
      page('reference/protocol', 'docs/protocol.md', 'Protocol and HTTP API'),
    ],
  },
  {
    label: 'Project',
    translations: { de: 'Projekt' },
    pages: [
      page('project/architecture', 'docs/architecture.md', 'Architecture'),
      page('project/decisions', 'docs/adr/README.md', 'Decisions'),
      page(
        'project/decisions/dialog-without-keys',
        'docs/adr/0001-dialog-without-keys.md',
        'Dialog without keys',
      ),
      page(
        'project/decisions/two-of-three-shares',
        'docs/adr/0002-two-of-three-shares.md',
        'Two of three shares',
      ),
      page('project/decisions/confirmation-page', 'docs/adr/0003-confirmation-page.md', 'Confirmation page'),
      page('project/decisions/two-engines', 'docs/adr/0004-two-engines.md', 'Two engines'),
      page('project/decisions/stored-responses', 'docs/adr/0005-stored-responses.md', 'Stored responses'),
      page('project/decisions/loaders-by-hash', 'docs/adr/0006-loaders-by-hash.md', 'Loaders by hash'),
      page(
        'project/decisions/no-mutation-testing',
        'docs/adr/0007-no-mutation-testing.md',
        'No mutation testing',
      ),
      page('project/decisions/backups-as-lines', 'docs/adr/0008-backups-as-lines.md', 'Backups as lines'),
      ...['protocol', 'dialog-app', 'wallet-frame', 'dashboard', 'server', 'sandbox', 'demo', 'e2e'].map(
        (folder) => page(`project/packages/${folder}`, `${folder}/README.md`, `Package ${folder}`),
      ),
      page('project/testing', 'docs/testing.md', 'Testing'),
      page('project/glossary', 'docs/glossary.md', 'Glossary'),
      page('project/departures', 'docs/departures.md', 'Departures'),
      page('project/contributing', 'CONTRIBUTING.md', 'Contributing'),
      page('project/report', 'SECURITY.md', 'Report a vulnerability'),
      page('project/changes', 'CHANGELOG.md', 'Changes'),
    ],
  },
]

export const docPages: DocPage[] = [homePage, ...sections.flatMap(({ pages }) => pages)]

type Translation = { page: DocPage; language: Language; source: string }

export const translatedPages: Translation[] = docPages.flatMap((page) =>
  (Object.keys(languages) as Language[]).flatMap((language) => {
    const source = page.translations?.[language]?.source
    return source === undefined ? [] : [{ page, language, source }]
  }),
)
