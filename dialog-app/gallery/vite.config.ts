import { texts } from '@latchkey/protocol/texts/build'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Development only: the product's build does not know this page. Served as `/gallery/`.
export default defineConfig({
  root: import.meta.dirname,
  base: '/gallery/',
  plugins: [react(), texts('loaded')],
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
    // The policy that the dialog's page has, so that a style or script that it refuses shows here first.
    headers: {
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'",
    },
  },
})
