import model from '@vladmandic/face-api/model/tiny_face_detector_model.bin?url';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { type ImageProblem, PORTRAIT_WARNINGS } from '~/applications/image';
import faces from '~/photos/browser/faces?script';
import passportPhoto from '~/photos/browser/passport-photo?script';
import prepare from '~/photos/browser/prepare?script';
import script from '~/photos/browser/portrait?script';
import worker from '~/photos/browser/portrait-worker?script';
import { Icon } from '~/ui/elements';
import { PictureProblems } from '~/ui/picture-input';

/** What the page's script loads once a picture is chosen. */
const LATER = { 'data-worker': worker, 'data-faces': faces, 'data-model': model };

const SIZES = [
  ['-', 'zoom-out', 'farther'],
  ['+', 'zoom-in', 'nearer'],
] as const;
const PLACES = [
  ['ArrowLeft', 'arrow-left', 'left'],
  ['ArrowUp', 'arrow-up', 'up'],
  ['ArrowDown', 'arrow-down', 'down'],
  ['ArrowRight', 'arrow-right', 'right'],
] as const;

type PortraitDeviceProps = { problem: (name: ImageProblem) => string; children: ReactNode };

/** A form for which a picture is looked at, and cut, on the device before it is sent. */
export function PortraitDevice({ problem, children }: PortraitDeviceProps) {
  const { t } = useTranslation('application-photo');
  return (
    <div data-portrait {...LATER}>
      <PictureProblems {...{ problem }} className="mt-6" />
      <p
        data-checking
        data-says={t('portrait.device.checking')}
        role="status"
        className="mt-6 empty:hidden"
      />
      {children}
      <script type="module" src={script} />
    </div>
  );
}

type PassportDeviceProps = { number: string | undefined; children: ReactNode };

/** A form for which a picture is read on the device before it is sent, and compared with what was typed. */
export function PassportDevice({ number, children }: PassportDeviceProps) {
  return (
    <div data-prepare={prepare} data-number={number}>
      {children}
      <script type="module" src={passportPhoto} />
    </div>
  );
}

/** The picture with the square that is cut out of it, and what speaks against it. */
export function PortraitFrame() {
  const { t } = useTranslation('application-photo');
  const button = ([key, icon, name]: (typeof SIZES | typeof PLACES)[number]) => (
    <button
      key={key}
      type="button"
      data-change={key}
      aria-label={t(`portrait.device.change.${name}`)}
      className="button button-quiet size-12 p-0"
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      <input type="hidden" name="warnings" />
      <input type="file" name="original" hidden />
      <div
        data-state="frame"
        hidden
        className="mt-6 grid-cols-2 items-start gap-x-8 lg:grid-rows-[auto_1fr] not-[[hidden]]:lg:grid"
      >
        <div className="lg:col-start-2">
          <h2 tabIndex={-1} className="text-2xl">
            {t('portrait.device.title')}
          </h2>
          <p className="mt-2">{t('portrait.device.lead')}</p>
        </div>
        <div className="max-lg:mt-6 lg:row-span-2 lg:row-start-1">
          <div
            data-stage
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys move the square
            tabIndex={0}
            role="group"
            aria-label={t('portrait.device.stage')}
            aria-describedby="framing-keys"
            className="relative overflow-hidden rounded-card bg-sea"
          >
            <canvas className="block h-auto w-full" />
            <svg aria-hidden="true" className="absolute inset-0 size-full" fill="none">
              <path data-veil fillRule="evenodd" fillOpacity="0.6" className="fill-deep" />
              <path data-square fill="transparent" className="cursor-move touch-none" />
              <path
                data-corners
                vectorEffect="non-scaling-stroke"
                strokeWidth="6"
                className="stroke-route"
              />
              <ellipse
                data-oval
                vectorEffect="non-scaling-stroke"
                strokeWidth="4"
                className="stroke-paper"
              />
              <ellipse
                data-oval
                vectorEffect="non-scaling-stroke"
                strokeDasharray="6 6"
                strokeWidth="2"
                className="stroke-route"
              />
            </svg>
          </div>
          <div
            role="group"
            aria-label={t('portrait.device.framing')}
            className="mt-3 flex flex-wrap justify-center gap-2"
          >
            <div className="flex gap-2">
              {SIZES.map(button)}
              <button
                type="button"
                data-turn
                aria-label={t('portrait.device.turn')}
                className="button button-quiet size-12 p-0"
              >
                <Icon name="rotate-ccw" />
              </button>
            </div>
            <div className="flex gap-2">{PLACES.map(button)}</div>
          </div>
          <p id="framing-keys" className="sr-only">
            {t('portrait.device.keys')}
          </p>
        </div>
        <div>
          <div role="status" className="mt-6 grid gap-3">
            {PORTRAIT_WARNINGS.map((warning) => (
              <p key={warning} data-warning={warning} hidden className="say say-look">
                <Icon name="triangle-alert" />
                <span>
                  <strong>{t(`portrait.device.warnings.${warning}.what`)}</strong>{' '}
                  {t(`portrait.device.warnings.${warning}.remedy`)}
                </span>
              </p>
            ))}
          </div>
          <p data-kept hidden className="mt-4 text-sm text-muted">
            {t('portrait.device.anyway')}
          </p>
          <button type="button" data-another className="text-button mt-4">
            {t('portrait.device.another')}
          </button>
        </div>
      </div>
    </>
  );
}
