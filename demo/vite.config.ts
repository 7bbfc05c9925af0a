import { directions } from '@latchkey/protocol/texts/directions'
import { defineConfig, type Plugin } from 'vite'

/** Adds an option for each language of the dialog, under the language's own name. */
const languageOptions: Plugin = {
  name: 'language-options',
  transformIndexHtml: (html) => {
    const options = Object.keys(directions).map((tag) => {
      const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag)
      return `<option lang="${tag}" value="${tag}">${name}</option>`
    })
    return html.replace('<!-- languages -->', options.join(''))
  },
}

export default defineConfig({
  plugins: [languageOptions],
  resolve: { conditions: ['latchkey-source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2022',
    // Images stay files, so that the page's policy need not allow data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  clearScreen: false,
  logLevel: 'warn',
})
