// The size budgets of a build, for size-limit. Each file is compressed by itself, as a server sends it: gzip for the
// dialog, brotli elsewhere. Raise a limit only with a reason beside it.

import { capabilityScripts, dashboardScripts, pageScripts } from './scripts/sizes/built-scripts.mjs'

const dashboard = dashboardScripts()

export default [
  {
    name: 'Loader, the script',
    path: 'loader/dist/loader.js',
    // The aim is 11.5 kB. Differences of events take 0.1 kB, the focus after a close 0.1 kB, a shown dialog that
    // cancels the empty card 15 B, and the page's own login 50 B.
    limit: '14.4 kB',
  },
  { name: 'Loader, the served ES module', path: 'loader/dist/latchkey.js', limit: '14.3 kB' },
  { name: 'Loader, the module of React', path: 'loader/dist/react.js', limit: '6 kB' },
  { name: 'Loader, the state', path: 'loader/dist/state.js', limit: '3 kB' },
  { name: 'Loader, the module of wagmi', path: 'loader/dist/wagmi.js', limit: '2.5 kB' },
  { name: 'Loader, the second file', path: 'loader/dist/loader-more.js', limit: '25 kB' },
  {
    name: 'Dialog, core',
    path: pageScripts('dialog-app/dist/index.html'),
    limit: '32 kB',
    gzip: true,
  },
  {
    name: 'Dialog until the e-mail code screen',
    path: pageScripts('dialog-app/dist/open.html'),
    limit: '130 kB',
    gzip: true,
  },
  {
    name: 'Dialog, list of countries',
    path: 'dialog-app/dist/assets/country-list-*.js',
    limit: '46 kB',
    gzip: true,
  },
  {
    name: 'Dialog, login by an external wallet',
    path: capabilityScripts('siwe'),
    // Includes the icons of rows, which a login by e-mail does not load.
    limit: '32.8 kB',
    gzip: true,
  },
  {
    name: 'Dialog, WalletConnect',
    path: ['dialog-app/dist/assets/relay-client-*.js', 'dialog-app/dist/assets/walletconnect-*.js'],
    limit: '126 kB',
    gzip: true,
  },
  {
    name: 'Wallet frame',
    path: pageScripts('wallet-frame/dist/index.html'),
    // The frame forwards requests of the confirmation page to the vault: 0.8 kB. It writes the text of a sign-in with
    // Solana from its fields: 0.4 kB.
    limit: '23.3 kB',
  },
  {
    name: 'Confirmation page',
    path: 'wallet-frame/dist/assets/confirm-*.js',
    // Texts for market orders, permits and fees take 2.8 kB, approval by passkey 3.4 kB, Solana transactions 1.3 kB,
    // descriptions and simulations 0.7 kB, operations whose fees the operator pays 1.6 kB, changes of the delegate 0.5 kB,
    // accounts of Solana's lookup tables 0.3 kB, and the other checks 0.9 kB.
    limit: '41.6 kB',
  },
  {
    name: 'Page of wallets across apps',
    path: 'wallet-frame/dist/assets/cross-app-*.js',
    // It contains the confirmation page. Recovery methods load on demand: 11 kB.
    limit: '48 kB',
  },
  {
    name: 'Recovery window',
    path: 'wallet-frame/dist/assets/recovery-window-*.js',
    // Google Drive and iCloud take 1.9 kB.
    limit: '33.2 kB',
  },
  {
    name: 'Button that opens a window',
    path: 'wallet-frame/dist/assets/open-window-*.js',
    limit: '4.6 kB',
  },
  {
    name: 'Export window',
    path: 'wallet-frame/dist/assets/export-*.js',
    // The approval gate takes 3 kB, and names of the files of twelve languages 0.3 kB.
    limit: '19.4 kB',
  },
  { name: 'Export vault', path: 'wallet-frame/dist/export-vault-*.js', limit: '52 kB' },
  {
    name: 'Import page',
    path: 'wallet-frame/dist/assets/import-*.js',
    // Seed phrases take 1.4 kB, the approval gate 2.3 kB, and names of the files of twelve languages 0.3 kB.
    limit: '19.4 kB',
  },
  {
    name: 'Import vault',
    path: 'wallet-frame/dist/import-vault-*.js',
    // The ten word lists of BIP-39 take 53 kB. They are in the file, because the vault has no network.
    limit: '88.8 kB',
  },
  {
    name: 'Dashboard, first load',
    path: dashboard.first,
    // React, the router and the queries. Signing in at an OpenID provider takes 0.5 kB.
    limit: '122.5 kB',
    gzip: true,
  },
  ...dashboard.screens.map(({ name, scripts }) => ({
    name: `Dashboard, ${name} screen`,
    path: scripts,
    // Dialogs take 18 kB, tables 7 kB, and the charts of the overview 23 kB.
    limit: '45 kB',
    gzip: true,
  })),
  {
    name: 'Vault worker',
    path: 'wallet-frame/dist/vault-*.js',
    // One file by design. Solana takes 2.9 kB, user operations 0.9 kB, and changes of the delegate 0.5 kB.
    limit: '67 kB',
  },
]
