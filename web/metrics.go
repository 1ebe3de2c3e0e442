package web

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics is what the server counts.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec // by route, method and status
	sockets  prometheus.Gauge
	pushes   prometheus.Counter
	bytes    prometheus.Counter
}

func newMetrics(registry *prometheus.Registry) (*metrics, error) {
	m := &metrics{
		registry: registry,
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "capstan_http_request_duration_seconds", Help: "How long requests took, by route.",
			Buckets: []float64{.001, .0025, .005, .01, .02, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method", "status"}),
		sockets: prometheus.NewGauge(prometheus.GaugeOpts{Name: "capstan_sockets", Help: "Open pages that are kept live."}),
		pushes:  prometheus.NewCounter(prometheus.CounterOpts{Name: "capstan_pushes_total", Help: "Frames with changed regions."}),
		bytes:   prometheus.NewCounter(prometheus.CounterOpts{Name: "capstan_pushed_bytes_total", Help: "Bytes of frames with changed regions."}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.sockets, m.pushes, m.bytes} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *metrics) handler() echo.HandlerFunc {
	return echo.WrapHandler(promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
}

// observe writes the access log and the request's duration. It renders errors
// itself, so that the log has the status that was really sent.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		took, r, res := time.Since(began), c.Request(), c.Response()
		route := c.Path()
		if route == "" {
			route = "none"
		}
		if res.Status != http.StatusSwitchingProtocols {
			s.metrics.requests.WithLabelValues(route, method(r.Method), strconv.Itoa(res.Status)).Observe(took.Seconds())
		}
		level := slog.LevelInfo
		if probe(route) {
			level = slog.LevelDebug
		}
		// The query may hold codes and what people typed: it is left out.
		s.Log.LogAttrs(r.Context(), level, "request",
			slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("route", route),
			slog.Int("status", res.Status), slog.Int64("bytes", res.Size), slog.Duration("took", took),
			slog.String("remote", r.RemoteAddr), slog.String("request", requestID(c)))
		return nil
	}
}

// method bounds the label's values.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost:
		return m
	}
	return "other"
}
