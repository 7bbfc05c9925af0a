/** A Solana wallet extension that registers by the Wallet Standard. Its key is held by the test. */
import { sign as ed25519Sign, generateKeyPairSync } from 'node:crypto'
import type { Page } from '@playwright/test'
import { getAddressDecoder } from '@solana/kit'

export type SolanaTestWallet = {
  address: string
  /** Returns the texts that it signed. */
  signedTexts: () => string[]
  /** Changes the domain in the texts that it writes for `solana:signIn`. */
  writeDomain: (domain: string | undefined) => void
}

/** Must be called before the page opens. A wallet without `signIn` signs messages only. */
export async function installSolanaWallet(
  page: Page,
  { name, signIn }: { name: string; signIn: boolean },
): Promise<SolanaTestWallet> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address: string = getAddressDecoder().decode(
    Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
  )
  const texts: string[] = []
  let domain: string | undefined
  const binding = `solana_${crypto.randomUUID().replaceAll('-', '')}`

  /** Writes the text of `solana:signIn`, or takes that of `solana:signMessage`. */
  await page.exposeFunction(binding, (asked: string | Record<string, string>) => {
    const text = typeof asked === 'string' ? asked : write({ ...asked, ...(domain && { domain }) })
    texts.push(text)
    return { text, signature: [...ed25519Sign(null, Buffer.from(text), privateKey)] }
  })
  await page.addInitScript(
    ({ binding, name, address, signIn }) => {
      if (window !== window.top) return
      type Signed = { text: string; signature: number[] }
      const ask = async (asked: unknown) => {
        const { text, signature } = await (
          Reflect.get(window, binding) as (given: unknown) => Promise<Signed>
        )(asked)
        return { signedMessage: new TextEncoder().encode(text), signature: new Uint8Array(signature) }
      }
      const account = { address, chains: ['solana:mainnet'], features: [] }
      const wallet = {
        version: '1.0.0',
        name,
        icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
        chains: ['solana:mainnet'],
        accounts: [account],
        features: {
          'standard:connect': { connect: async () => ({ accounts: [account] }) },
          'solana:signMessage': {
            signMessage: async ({ message }: { message: Uint8Array }) => [
              await ask(new TextDecoder().decode(message)),
            ],
          },
          ...(signIn && {
            'solana:signIn': { signIn: async (input: object) => [{ account, ...(await ask(input)) }] },
          }),
        },
      }
      const register = (api: { register: (own: object) => void }) => api.register(wallet)
      addEventListener('wallet-standard:app-ready', (event) => register(Reflect.get(event, 'detail')))
      dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
    },
    { binding, name, address, signIn },
  )
  return {
    address,
    signedTexts: () => texts,
    writeDomain(next) {
      domain = next
    },
  }
}

const write = ({
  domain,
  address,
  statement,
  uri,
  version,
  chainId,
  nonce,
  issuedAt,
}: Record<string, string>) =>
  [
    `${domain} wants you to sign in with your Solana account:`,
    address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
  ].join('\n')
