import { latchkey } from '../latchkey.ts'

export const linkEmail = async () => {
  const user = await latchkey.linkEmail()
  return `${user.linkedAccounts.length} accounts`
}

export const linkPhone = async () => {
  const user = await latchkey.linkPhone()
  return `${user.linkedAccounts.length} accounts`
}

export const linkGoogle = async () => {
  const user = await latchkey.linkGoogle()
  return `${user.linkedAccounts.length} accounts`
}

export const linkWallet = async () => {
  const user = await latchkey.linkWallet()
  return `${user.linkedAccounts.length} accounts`
}

export const linkPasskey = async () => {
  const user = await latchkey.linkPasskey()
  return `${user.linkedAccounts.length} accounts`
}

export const linkFarcaster = async () => {
  const user = await latchkey.linkFarcaster()
  return `${user.linkedAccounts.length} accounts`
}

export const changeEmail = async () => {
  const user = await latchkey.updateEmail()
  return user.displayName
}

export const secondFactor = async () => {
  const user = await latchkey.showMfaEnrollment()
  return user.mfaMethods.join(', ') || 'no second factor'
}

export const unlinkEmail = async () => {
  const { email } = (await latchkey.getUser()) ?? {}
  const user = await latchkey.unlinkEmail(email?.address ?? '')
  return `${user.linkedAccounts.length} accounts`
}

export const unlinkPhone = async () => {
  const { phone } = (await latchkey.getUser()) ?? {}
  const user = await latchkey.unlinkPhone(phone?.number ?? '')
  return `${user.linkedAccounts.length} accounts`
}

export const forkSession = async () => {
  const { code, expiresInSeconds } = await latchkey.forkSession()
  return `${code.length} characters, for ${expiresInSeconds} s`
}
