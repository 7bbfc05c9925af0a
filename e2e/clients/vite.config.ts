/** One script, built alone: libraries of other pages have no part in it. Its HTML is written by the tests. */
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { printed } from './printed.ts'

export default defineConfig(({ mode: page }) => ({
  root: import.meta.dirname,
  base: `/clients/${page}/`,
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [react(), printed],
  // What the loader has of them is the page's own, and of its version.
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
