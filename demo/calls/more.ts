import { latchkey } from '../latchkey.ts'
import { settings } from '../look/look.ts'

export const logInForSolana = async () => {
  await latchkey.setConfig({ ...settings(), embeddedWallets: { createOnLogin: 'off' } })
  const { user } = await latchkey.login()
  return user.displayName
}

export const createSolanaWallet = async () => {
  const wallet = await latchkey.createSolanaWallet()
  return wallet.address
}

export const signBySolana = async (message: string) => {
  const provider = await latchkey.getSolanaProvider()
  const { signature } = await provider.signMessage(message)
  return `${signature.length} bytes by ${provider.address}`
}

export const requestSigner = async () => {
  const signer = await latchkey.requestFarcasterSigner()
  return `${signer.publicKey} for account ${signer.fid}`
}

export const signForFarcaster = async () => {
  const hash = crypto.getRandomValues(new Uint8Array(20))
  const signature = await latchkey.signFarcasterMessage(hash)
  return `${signature.length} bytes`
}

export const askProvider = async () => {
  const provider = await latchkey.getEthereumProvider()
  const chainId = await provider.request({ method: 'eth_chainId' })
  return `chain ${Number(chainId)}`
}

export const accessToken = async () => {
  const token = await latchkey.getAccessToken()
  return token ?? 'nobody is logged in'
}
