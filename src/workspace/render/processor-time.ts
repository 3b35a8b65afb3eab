// How much of the processor's time was spent.

/** Of this process, in milliseconds: how busy the machine is with others makes no difference to what is rendered. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
