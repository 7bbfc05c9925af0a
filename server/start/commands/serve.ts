import { parseOptions } from './spec.ts'
import { serveSpec } from './specs/server.ts'

export async function run(args: string[]): Promise<void> {
  parseOptions(serveSpec, args)
  await import('../main.ts')
}
