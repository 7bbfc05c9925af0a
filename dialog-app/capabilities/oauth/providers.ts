/** What a provider is called and looks like, the same in every language: the file of its name holds its mark. */
import { type SocialProvider, socialProviderRows } from '@latchkey/protocol'
import type { MarkDrawing } from '../../ui/marks/mark.tsx'
import type { Look } from '../../window-login/waiting-screen.tsx'

export type { SocialProvider }

const files = import.meta.glob<Readonly<Record<string, MarkDrawing>>>('../../ui/marks/providers/*.ts', {
  eager: true,
})

export function lookOf(provider: SocialProvider): Look {
  const [mark] = Object.values(files[`../../ui/marks/providers/${provider}.ts`] ?? {})
  if (!mark) throw new Error(`ui/marks/providers/ has no ${provider}.ts`)
  return { title: socialProviderRows[provider].title, mark }
}
