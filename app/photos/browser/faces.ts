import { env, tf, TinyFaceDetector } from '@vladmandic/face-api/dist/face-api.esm';
import manifest from '@vladmandic/face-api/model/tiny_face_detector_model-weights_manifest.json';

import { type Face, LEAST_SCORE, type Pixels } from '../portrait-hints';

const INPUT = 224;
type Weights = Parameters<typeof tf.io.decodeWeights>[1];

// It asks what its input is; a worker has none of a page's elements.
const elements = { Canvas: OffscreenCanvas, Image: ImageBitmap, Video: ImageBitmap, ImageData };
env.setEnv(elements as unknown as Parameters<typeof env.setEnv>[0]);

/** Finds the faces in a picture; none is compared with another. @throws if it cannot be loaded */
export async function loadDetector(model: string) {
  // Its types leave this out.
  const engine = tf as unknown as { setBackend: (name: string) => Promise<boolean> };
  const [response] = await Promise.all([fetch(model), engine.setBackend('cpu')]);
  const weights = manifest.flatMap((group) => group.weights) as Weights;
  const detector = new TinyFaceDetector();
  detector.loadFromWeightMap(tf.io.decodeWeights(await response.arrayBuffer(), weights));
  return async ({ width, height, data }: Pixels): Promise<Face[]> => {
    const colours = Float32Array.from(data.filter((_, at) => at % 4 < 3));
    const input = tf.tensor3d(colours, [height, width, 3]);
    const options = { inputSize: INPUT, scoreThreshold: LEAST_SCORE };
    const found = await detector.locateFaces(input, options);
    input.dispose();
    return found.map(({ score, box: { x, y, width, height } }) => ({ score, x, y, width, height }));
  };
}
