/** Creates the wallet with its hidden frame, the dialog's side of boundary 2. */
import type { DialogInlineConfig } from '@latchkey/protocol'
import type { OpenedPage, WalletPage } from '@latchkey/protocol/wallet'
import type { Api } from '../api/client.ts'
import { browserRandom } from '../browser/browser-ports.ts'
import type { Clock } from '../browser/ports.ts'
import type { Session } from '../session/session.ts'
import type { DevicePorts } from './device.ts'
import {
  createWalletFrame,
  mountHiddenFrame,
  openWalletChannel,
  walletFrameUrl,
  windowButtonUrl,
} from './frame.ts'
import { createWallet, type Wallet } from './wallet.ts'

export type WalletParts = Pick<DevicePorts, 'dialogKey'> & {
  api: Api
  clock: Clock
  session: Session
  analyticsId: string
}

export function startWallet(
  { app, walletOrigin, isolated, hostOrigin }: DialogInlineConfig,
  document: Document,
  { api, clock, session, analyticsId, dialogKey }: WalletParts,
): Wallet {
  const place = { walletOrigin, appId: app.id, analyticsId, isolated }
  const url = walletFrameUrl(place)
  const frame = createWalletFrame({
    clock,
    mountFrame: () => mountHiddenFrame(document, url),
    open: openWalletChannel(walletOrigin),
  })
  const pageUrl = (page: WalletPage) => walletFrameUrl(place, `/${page}`)
  const buttonUrl = (page: OpenedPage, handle: string, address?: string) =>
    windowButtonUrl(place, page, handle, address)
  const newHandle = () => browserRandom.id(32)
  return createWallet({
    appId: app.id,
    frame,
    api,
    clock,
    session,
    dialogKey,
    hostOrigin,
    newHandle,
    pageUrl,
    buttonUrl,
  })
}
