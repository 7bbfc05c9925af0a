export const appId = process.env.NEXT_PUBLIC_LATCHKEY_APP_ID ?? ''
export const dialogUrl = process.env.NEXT_PUBLIC_LATCHKEY_DIALOG_URL ?? ''

if (!appId || !dialogUrl) {
  throw new Error(
    'Set NEXT_PUBLIC_LATCHKEY_APP_ID and NEXT_PUBLIC_LATCHKEY_DIALOG_URL in .env.local, as in .env.example',
  )
}
