// Plain JavaScript for any version of Node.
export const FLOOR = 24

/** Whether Lyceum runs on this version of Node. */
export const isNewEnough = (version) => Number.parseInt(version, 10) >= FLOOR
