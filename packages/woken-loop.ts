export interface Loop {
  /** Does what is due. @returns after how many milliseconds it is to be done again */
  work: (isStopped: () => boolean) => Promise<number>;
  afterFailureMs: number;
  failed: (error: unknown) => void;
  onWake?: (wake: () => void) => void;
  later: (ms: number, work: () => void) => () => void;
}

export function startLoop({ work, afterFailureMs, failed, onWake, later }: Loop) {
  let isStopped = false;
  let isWoken = false;
  let wake = (): void => undefined;
  onWake?.(() => {
    isWoken = true;
    wake();
  });
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = later(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
      if (isWoken || isStopped) wake();
    });
  const run = async () => {
    let wasFailing = false;
    while (!isStopped) {
      isWoken = false;
      let ms = afterFailureMs;
      try {
        ms = await work(() => isStopped);
        wasFailing = false;
      } catch (error) {
        if (!wasFailing) failed(error);
        wasFailing = true;
      }
      await pause(ms);
    }
  };
  const ended = run();
  return (): Promise<void> => {
    isStopped = true;
    wake();
    return ended;
  };
}
