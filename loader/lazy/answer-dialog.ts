import { LatchkeyError, productName } from '@latchkey/protocol'
import { getPageTokenMethod, hostPageId, type WalletAnswer } from '@latchkey/protocol/host'
import { askWallet } from '@latchkey/protocol/host-page'
import type { HostLogin } from '../types/options.ts'

/** Answers a request of the dialog to the page, or passes it on to a wallet extension. */
export async function answerDialog(asked: unknown, hostLogin: HostLogin | undefined): Promise<WalletAnswer> {
  const { wallet, method } = Object(asked)
  const isForToken = wallet === hostPageId && method === getPageTokenMethod
  return isForToken && hostLogin ? { result: await getToken(hostLogin) } : askWallet(asked)
}

/** The console has the error itself, because the dialog receives only the code. */
async function getToken(hostLogin: HostLogin): Promise<string | null> {
  try {
    const token: unknown = await hostLogin.getToken()
    if (token === null || typeof token === 'string') return token
    throw new TypeError('getToken() must return a string or null')
  } catch (cause) {
    console.error(`${productName}: getToken() failed`, cause)
    throw new LatchkeyError('host_login_failed', 'getToken() of the page failed')
  }
}
