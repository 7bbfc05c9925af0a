/**
 * The face is written in React and typed by React; what runs it in the shipped dialog is preact/compat. React 19's
 * renderer alone is 63 kB gzip of a budget of 95 for core and face; this one is 7, and the dialog uses nothing
 * that they do differently. Without this alias the same sources build and run on React itself.
 */
export const reactRuntime = [
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react-dom$/, replacement: 'preact/compat' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react\/jsx-dev-runtime$/, replacement: 'preact/jsx-dev-runtime' },
  { find: /^react$/, replacement: 'preact/compat' },
]
