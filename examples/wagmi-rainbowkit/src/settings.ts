export const appId: string = import.meta.env.VITE_LATCHKEY_APP_ID
export const dialogUrl: string = import.meta.env.VITE_LATCHKEY_DIALOG_URL
export const rpcUrl: string = import.meta.env.VITE_RPC_URL

if (!appId || !dialogUrl || !rpcUrl) {
  throw new Error(
    'Set VITE_LATCHKEY_APP_ID, VITE_LATCHKEY_DIALOG_URL and VITE_RPC_URL in .env.local, as in .env.example',
  )
}
