import { texts } from '@latchkey/protocol/texts/build'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Serves the gallery as `/gallery/` in development. The product build does not include it. The
// documentation site builds `theme.html`.
export default defineConfig({
  root: import.meta.dirname,
  base: '/gallery/',
  plugins: [react(), texts('dialog-app', { hasPseudoLocale: true })],
  resolve: {
    conditions: ['latchkey-source', 'module', 'browser', 'development|production'],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
  },
  preview: {
    // The CSP of the dialog's page, so that violations show here first.
    headers: {
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'",
    },
  },
})
