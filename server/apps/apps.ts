/** An app: who may embed the dialog, and how the dialog behaves there. */
import type { AppConfig } from '@latchkey/protocol'

export type App = {
  readonly id: string
  readonly name: string
  /** What everybody may read. */
  readonly config: AppConfig
  readonly allowedOrigins: readonly string[]
  readonly environment: 'development' | 'production'
  readonly sessionMode: 'storage' | 'cookie'
  readonly maxUsers: number | null
}
