import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { ExportStep } from './export-screen.tsx'
import { exportScreen } from './screens.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
// The button is of another origin, which has no place in the gallery: it is always just coming.
const buttonUrl = 'about:blank'
const inWindow = (caption: string, step: Extract<ExportStep, { status: 'window' }>['step']) =>
  picture(caption, { status: 'window', step })
const picture = (caption: string, step: ExportStep): Picture => ({
  caption,
  screen: pictured(exportScreen, { address, ...step }),
})

export const pictures: Pictures = {
  screens: [
    picture('Export, connecting', { status: 'connecting' }),
    inWindow('Export', { at: 'asking', buttonUrl }),
    inWindow('Export, in a browser inside of an app', { at: 'asking', problem: 'in-app' }),
    inWindow('Export, on a page that keeps its windows apart', { at: 'asking', problem: 'cut-off' }),
    inWindow('Export, in the window', { at: 'window', window: 'open', buttonUrl }),
    inWindow('Export, the window may be blocked', { at: 'window', window: 'none', buttonUrl }),
    inWindow('Export, the window was closed', { at: 'window', window: 'closed', buttonUrl }),
    picture('Export, shown', { status: 'open' }),
    picture('Export, canceled', { status: 'failed', problem: 'canceled' }),
    picture('Export, failed', { status: 'failed', problem: 'failed' }),
  ],
}
