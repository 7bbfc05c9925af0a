// Loaded before each program (node --import): when whoever started it is gone without a word, as after a SIGKILL, it
// ends as if it had been told to.

if (process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel alone must not keep a program alive that has nothing else to do.
  process.channel.unref()
}
