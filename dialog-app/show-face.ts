/** Draws the dialog with its face, whose code comes when it is asked for. */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'

type Ports = {
  readonly isOpen: () => boolean
  /** Runs when it opens or closes. */
  readonly watch: (run: () => void) => void
  readonly lose: (error: LatchkeyError) => void
  /** Asks for the code, with patience, and puts the face on the page. */
  readonly mount: () => Promise<void>
  /** The code did not come, and whoever waited was told. */
  readonly onMissing: () => void
}

/** A dialog that can not be seen must not keep the host's page waiting behind it: the next one asks again. */
export function showFace({ isOpen, watch, lose, mount, onMissing }: Ports): void {
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
      lose(toLatchkeyError(error, 'server_unreachable', 'The dialog could not be loaded'))
      onMissing()
    }
  }

  watch(() => {
    if (isOpen()) void ask()
  })
  void ask()
}
