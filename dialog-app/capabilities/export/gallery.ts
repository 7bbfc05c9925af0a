import { type Picture, type Pictures, pictured } from '../../core/picture.ts'
import type { ExportStep } from './export-screen.tsx'
import { exportScreen } from './screens.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const picture = (caption: string, step: ExportStep): Picture => ({
  caption,
  screen: pictured(exportScreen, { address, ...step }),
})

export const pictures: Pictures = {
  screens: [
    picture('Export, connecting', { status: 'connecting' }),
    picture('Export', { status: 'asking' }),
    picture('Export, in a browser inside of an app', { status: 'asking', problem: 'in-app' }),
    picture('Export, on a page that keeps its windows apart', { status: 'asking', problem: 'cut-off' }),
    picture('Export, in the window', { status: 'window', window: 'open' }),
    picture('Export, the window may be blocked', { status: 'window', window: 'none' }),
    picture('Export, the window was closed', { status: 'window', window: 'closed' }),
    picture('Export, shown', { status: 'open' }),
    picture('Export, canceled', { status: 'failed', problem: 'canceled' }),
    picture('Export, failed', { status: 'failed', problem: 'failed' }),
  ],
}
