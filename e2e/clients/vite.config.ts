/** One script, built alone: libraries of other pages have no part in it. Its HTML is written by the tests. */
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig(({ mode: page }) => ({
  root: import.meta.dirname,
  base: `/clients/${page}/`,
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [react()],
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
