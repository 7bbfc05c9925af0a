import type { LoginMethod } from '@latchkey/loader'
import { latchkey } from '../latchkey.ts'
import { settings } from '../look/look.ts'

export const logIn = async () => {
  const { user } = await latchkey.login()
  return user.displayName
}

export const logInBy = async (method: LoginMethod) => {
  await latchkey.setConfig({ ...settings(), loginMethods: [method] })
  const { user } = await latchkey.login()
  return `${user.displayName}, by ${method}`
}

export const logOut = async () => {
  await latchkey.logout()
}
