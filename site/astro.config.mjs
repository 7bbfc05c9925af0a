// The documentation site. `npm run docs` in the root builds it and serves it; nothing here needs the network.

import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import { languages, sections } from '../scripts/docs/pages.ts'
import { repositoryDocs } from '../scripts/docs/repository-docs.ts'

const sidebar = sections.map(({ label, translations, pages }) => ({
  label,
  translations,
  items: pages.map(({ label, slug, translations = {} }) => ({
    label,
    slug,
    translations: Object.fromEntries(
      Object.entries(translations).map(([language, { label }]) => [language, label]),
    ),
  })),
  collapsed: label === 'Project',
}))

export default defineConfig({
  trailingSlash: 'always',
  server: { host: '127.0.0.1' },
  // Sizes for narrow screens, too.
  image: { layout: 'constrained' },
  devToolbar: { enabled: false },
  integrations: [
    repositoryDocs(),
    starlight({
      title: 'Latchkey',
      description: 'A login and a wallet for any web app: one dialog that you embed and host yourself.',
      locales: {
        root: { label: 'English', lang: 'en' },
        ...Object.fromEntries(Object.entries(languages).map(([lang, label]) => [lang, { label, lang }])),
      },
      favicon: '/favicon.svg',
      logo: { src: './assets/latchkey.svg' },
      customCss: ['./assets/theme.css'],
      head: [{ tag: 'script', attrs: { src: '/site.js', defer: true } }],
      components: { PageTitle: './components/page-title.astro' },
      pagefind: true,
      lastUpdated: false,
      credits: false,
      expressiveCode: { defaultProps: { frame: 'none' }, styleOverrides: { borderRadius: '0.6rem' } },
      sidebar,
    }),
  ],
})
