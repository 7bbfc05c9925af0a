/** Draws the dialog with its shell, whose code comes when it is asked for. */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'

type Ports = {
  isOpen: () => boolean
  /** Runs when it opens or closes. */
  watch: (run: () => void) => void
  /** Asks for the code, with patience, and puts the shell on the page. */
  mount: () => Promise<void>
  /** The code did not come, and somebody waits for what it would draw. */
  onMissing: (error: LatchkeyError) => void
}

/** A dialog that can not be seen must not keep the host's page waiting behind it: the next one asks again. */
export function showShell({ isOpen, watch, mount, onMissing }: Ports): void {
  let isMissing = true

  async function ask() {
    if (!isMissing) return
    isMissing = false
    try {
      await mount()
    } catch (error) {
      isMissing = true
      if (isOpen()) onMissing(toLatchkeyError(error, 'server_unreachable', 'The dialog could not be loaded'))
    }
  }

  watch(() => {
    if (isOpen()) void ask()
  })
  void ask()
}
