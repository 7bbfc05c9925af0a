export const appId: string = import.meta.env.VITE_LATCHKEY_APP_ID
export const dialogUrl: string = import.meta.env.VITE_LATCHKEY_DIALOG_URL

if (!appId || !dialogUrl) {
  throw new Error('Set VITE_LATCHKEY_APP_ID and VITE_LATCHKEY_DIALOG_URL in .env.local, as in .env.example')
}
