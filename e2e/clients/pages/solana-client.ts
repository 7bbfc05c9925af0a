/** Latchkey's client on a page of a Solana library. The library finds the wallet by the Wallet Standard. */
type SolanaLatchkey = {
  login: () => Promise<unknown>
  createSolanaWallet: () => Promise<unknown>
  getSolanaProvider: (options: { announce: boolean }) => Promise<{ address: string }>
}

export const recipient = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
export const { solanaUrl = '' } = document.documentElement.dataset

const latchkey = () => Reflect.get(globalThis, 'latchkey') as SolanaLatchkey

/** Logs in, creates the wallet and announces it. */
export async function announceWallet(): Promise<string> {
  await latchkey().login()
  await latchkey().createSolanaWallet()
  return (await latchkey().getSolanaProvider({ announce: true })).address
}

export const toNumbers = (bytes: ArrayLike<number>) => Array.from(bytes)
