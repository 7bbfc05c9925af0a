/// <reference types="vite/client" />
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/',
  plugins: [react()],
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    manifest: true,
    // Its polyfill injects a script; and the core must not ask for the face before it is wanted.
    modulePreload: false,
    // A policy without `data:` in `font-src` and `script-src` refuses what is inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'open.html'],
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [
            { name: 'core', tags: ['$initial'], priority: 4 },
            { name: 'dialog', test: /\/start-dialog\.ts$/, priority: 3 },
            { name: 'face', test: /\/dialog-app\/face\/index\.tsx$/, priority: 2 },
            {
              name: 'parts',
              test: /\/dialog-app\/(?:face|ui)\//,
              priority: 1,
              entriesAware: true,
              entriesAwareMergeThreshold: 4000,
            },
            { name: (id) => /\/capabilities\/([^/]+)\/(?!texts\.ar\.ts)/.exec(id)?.[1] ?? null, priority: 1 },
          ],
        },
      },
    },
  },
})
