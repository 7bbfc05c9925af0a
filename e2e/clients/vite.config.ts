/** Builds one script per page, so that libraries do not share code. The tests write its HTML. */
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { printed } from './printed.ts'

export default defineConfig(({ mode: page }) => ({
  root: import.meta.dirname,
  base: `/clients/${page}/`,
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [react(), printed],
  // The loader must use the wagmi version of the page.
  resolve: {
    alias: page.startsWith('wagmi3') ? [{ find: /^wagmi(?=$|\/)/, replacement: 'wagmi3' }] : [],
    dedupe: ['viem', 'wagmi', 'wagmi3', 'react'],
  },
  build: {
    outDir: join('dist', page),
    target: 'es2022',
    cssCodeSplit: false,
    chunkSizeWarningLimit: 5_000,
    rollupOptions: {
      input: { [page]: join(import.meta.dirname, 'pages', page) },
      output: { entryFileNames: '[name].js' },
    },
  },
}))
