# The app with everything that it can use, as a user without rights; experiments and caches are in /data.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/mtsig \
    && /opt/mtsig/bin/pip install --no-cache-dir ".[all]" "streamlit[auth]"

FROM python:3.13-slim
RUN useradd --create-home --uid 1000 mtsig \
    && install --directory --owner=mtsig --group=mtsig /data
COPY --from=build /opt/mtsig /opt/mtsig
ENV PATH="/opt/mtsig/bin:$PATH" \
    MTSIG_HOME=/data \
    MTSIG_SHARED=1 \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_HEADLESS=true
USER 1000
WORKDIR /home/mtsig
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["mtsig", "app"]
