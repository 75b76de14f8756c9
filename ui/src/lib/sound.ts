// Two short tones when something new waits for a person.

const TONES: readonly [number, number][] = [
  [660, 0],
  [880, 0.14],
];
const LENGTH_S = 0.12;

let audio: AudioContext | null = null;

function tone(context: AudioContext, hertz: number, after: number): void {
  const start = context.currentTime + after;
  const [oscillator, volume] = [context.createOscillator(), context.createGain()];
  oscillator.frequency.value = hertz;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
  volume.gain.linearRampToValueAtTime(0, start + LENGTH_S);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + LENGTH_S);
}

/** Sounds once; a machine without sound stays silent. */
export function attention(): void {
  if (typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  // Until a first key or touch the webview may hold it back.
  void audio.resume();
  for (const [hertz, after] of TONES) tone(audio, hertz, after);
}
