/** Draws the dialog with its face, whose code comes when it is asked for. */
import { toLatchkeyError } from '@latchkey/protocol'
import type { Core } from './core/view.ts'

type Ports = {
  readonly core: Pick<Core, 'store' | 'viewAtom' | 'lose'>
  /** Asks for the code, with patience, and puts the face on the page. */
  readonly mount: () => Promise<void>
  /** The code did not come, and whoever waited was told. */
  readonly onMissing: () => void
}

/** A dialog that can not be seen must not keep the host's page waiting behind it: the next one asks again. */
export function showFace({ core, mount, onMissing }: Ports): void {
  let status: 'missing' | 'asked for' | 'here' = 'missing'

  async function ask() {
    if (status !== 'missing') return
    status = 'asked for'
    try {
      await mount()
      status = 'here'
    } catch (error) {
      status = 'missing'
      if (!isOpen()) return
      core.lose(toLatchkeyError(error, 'server_unreachable', 'The dialog could not be loaded'))
      onMissing()
    }
  }

  const isOpen = () => core.store.get(core.viewAtom).open
  core.store.sub(core.viewAtom, () => {
    if (isOpen()) void ask()
  })
  void ask()
}
