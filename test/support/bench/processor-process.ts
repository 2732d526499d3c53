/* Loaded before a program: tells, whenever it is asked, how many microseconds of the processor its process has used. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
