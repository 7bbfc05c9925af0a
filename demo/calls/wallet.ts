import { latchkey } from '../latchkey.ts'

export const createWallet = async () => {
  const wallet = await latchkey.createWallet()
  return wallet.address
}

export const setRecovery = async () => {
  const wallet = await latchkey.setWalletRecovery()
  return `brought back by ${wallet.recoveryMethod}`
}

export const exportWallet = async () => {
  await latchkey.exportWallet()
}

export const importWallet = async () => {
  const wallet = await latchkey.importWallet()
  return wallet.address
}

export const addFunds = async () => {
  const user = await latchkey.getUser()
  const { status } = await latchkey.fundWallet(user?.wallet?.address ?? '')
  return status ?? 'no payment'
}

export const send = async (to: string) => {
  const transaction = { to, value: '0x2386f26fc10000' as const } // 0.01 ETH
  const { transactionHash } = await latchkey.sendTransaction(transaction)
  return transactionHash
}
