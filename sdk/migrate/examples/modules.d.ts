/** What the examples import and this repository does not have. */
declare module 'next/app' {
  export type AppProps = { Component: React.ComponentType<object>; pageProps: object }
}
declare module 'next/dynamic'
declare module '@privy-io/node'
declare module '@privy-io/react-auth'
declare module '@privy-io/react-auth/smart-wallets'
declare module '@privy-io/react-auth/solana'
