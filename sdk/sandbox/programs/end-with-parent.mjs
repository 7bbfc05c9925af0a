// Loaded before each program (node --import). Ends the program if its parent is gone, for example after
// SIGKILL, as if it had received SIGTERM.

if (process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel must not keep an otherwise finished program alive.
  process.channel.unref()
}
