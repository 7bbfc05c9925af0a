import { readFileSync } from 'node:fs'
import { createLatchkeyServer } from '@latchkey/server'

const { LATCHKEY_APP_ID: appId, LATCHKEY_DIALOG_URL: dialogUrl, LATCHKEY_KEYS_URL: keysUrl } = process.env

if (!appId || !dialogUrl) {
  throw new Error('Set LATCHKEY_APP_ID and LATCHKEY_DIALOG_URL in .env, as in .env.example')
}

export const latchkey = createLatchkeyServer({ appId, issuer: dialogUrl, keysUrl })

/** The page, with your app and your dialog filled into its script tag. */
export const page = readFileSync(new URL('index.html', import.meta.url), 'utf8')
  .replace('%LATCHKEY_APP_ID%', appId)
  .replace('%LATCHKEY_DIALOG_URL%', dialogUrl)

export const port = Number(process.env.PORT ?? 8080)
